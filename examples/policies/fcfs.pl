#!/usr/bin/perl
# First come, first served, as a program of its own: nobody overtakes.
#
#     cosched replay LOG --policy fcfs,program --policy-program examples/policies/fcfs.pl
#
# Reads events and answers with jobs to start, a line of JSON each: docs/policies.md.  Where jobs arrive they come in the
# order of the queue; those of a batch are all in the first event, the most urgent first.
use strict;
use warnings;
use JSON::PP;

$| = 1;
my (@batch, @queue, %procs);

while (my $line = <STDIN>) {
    my $message = decode_json($line);
    my $event = $message->{event};

    if ($event eq 'machine') {
        @batch = map { $procs{$_->{job}} = $_->{procs}; $_->{job} } @{$message->{jobs}};
    } elsif ($event eq 'begin') {
        @queue = @batch;
    } elsif ($event eq 'arrived') {
        $procs{$message->{job}} = $message->{procs};
        push @queue, $message->{job};
    } elsif ($event eq 'failed') {
        push @queue, $message->{job};
    } elsif ($event eq 'decide') {
        my ($free, @start) = ($message->{free});
        while (@queue && $procs{$queue[0]} <= $free) {
            $free -= $procs{$queue[0]};
            push @start, shift @queue;
        }
        print encode_json({start => \@start}), "\n";
    }
}
