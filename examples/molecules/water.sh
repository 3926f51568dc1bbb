#!/bin/sh -e
# water.sh NAME NANOMETRES STEPS: makes NAME.tpr, a box of water for GROMACS, in the current folder.
#
#   gmx mdrun -s NAME.tpr -deffnm NAME -cpi NAME.cpt      runs it, or goes on from NAME.cpt
#
# SIGTERM makes it save NAME.cpt and end with status 1; NAME.gro is only there when it has done all steps.
name=$1 size=$2 steps=$3
cat > "$name.top" <<TOP
#include "oplsaa.ff/forcefield.itp"
#include "oplsaa.ff/spce.itp"
[ system ]
water
[ molecules ]
TOP
common="coulombtype = PME
rcoulomb = 0.8
rvdw = 0.8
cutoff-scheme = Verlet"
gmx -quiet solvate -cs spc216.gro -box "$size" "$size" "$size" -p "$name.top" -o "$name.box.gro"
printf 'integrator = steep\nnsteps = 50\n%s\n' "$common" > "$name.mdp"
gmx -quiet grompp -f "$name.mdp" -c "$name.box.gro" -p "$name.top" -o "$name.rest.tpr" -po "$name.out.mdp" -maxwarn 2
gmx -quiet mdrun -s "$name.rest.tpr" -deffnm "$name.rest" -ntmpi 1 -ntomp 1 -pin off
printf 'integrator = md\ndt = 0.002\nnsteps = %s\nnstlog = 50\nnstenergy = 50\nnstcalcenergy = 50
tcoupl = v-rescale\ntc-grps = System\ntau-t = 0.5\nref-t = 300\ngen-vel = yes\ngen-seed = 7\nld-seed = 7\n%s\n' \
  "$steps" "$common" > "$name.mdp"
gmx -quiet grompp -f "$name.mdp" -c "$name.rest.gro" -p "$name.top" -o "$name.tpr" -po "$name.out.mdp" -maxwarn 2
rm -f "$name".rest.* "$name".box.gro "$name".out.mdp "$name".mdp "$name".top '#'* step*.pdb
