jobs  (incl. supersource/sink ):	6
RESOURCES
- renewable                 : 2 R
- nonrenewable              : 1 N
- doubly constrained        : 0 D
************************************************************************
PRECEDENCE RELATIONS:
jobnr.    #modes  #successors   successors
1	1	2		2 3 
2	2	1		4 
3	1	1		5 
4	1	1		5 
5	2	1		6 
6	1	0		
************************************************************************
REQUESTS/DURATIONS
jobnr.	mode	dur	R1	R2	N1	
------------------------------------------------------------------------
1	1	0	0	0	0	
2	1	2	5	0	3	
	2	6	0	2	1	
3	1	4	3	1	0	
4	1	0	6	0	2	
5	1	1	6	3	4	
	2	3	0	3	2	
6	1	0	0	0	0	
************************************************************************
 RESOURCE AVAILABILITIES 
	R 1	R 2	N 1
	6	3	7

