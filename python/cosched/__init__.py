"""Plan, simulate and judge co-schedules of parallel applications on machines that fail.

    import cosched

    plan = cosched.plan_moldable({"a": {1: 640, 2: 340}, "b": {1: 500, 4: 150}}, procs=4)
    plan.makespan, plan.schedule().to_frame(), plan.gantt()

    case = cosched.simulate_rigid("jobs.csv", 5000, policy=["easy", "greedy"], mean_failure_probability=0.3)
    case.outcomes.groupby("policy").makespan.mean()

Functions, their options and defaults are those of the tool: plan_pack is `cosched plan pack`. Numbers are equal to the
tool's to the last bit. Times are seconds; a timedelta or a text such as "30d" will do. help(cosched.plan_pack) and
cosched.parameters("pack") say what there is.
"""

from cosched import papers
from cosched import case as _case
from cosched._core import Error, InputError, MissingPart, OutOfMemory, PolicyError, Stopped, SystemFault, UsageError, Warning, describe, pattern, version
from cosched._types import PolicyText
from cosched.campaign import Campaign
from cosched.case import Case, generate, metrics, parameters, policies
from cosched.foreign import RigidPolicy, serve, test_policy
from cosched.joblog import JobLog
from cosched.own import MalleablePolicy, MoldablePolicy, PackPolicy, PtgStrategy, VolatilePolicy
from cosched.picture import Picture, plot, report
from cosched.running import DryRun, Run, run, run_dry, run_resume
from cosched.schedule import KINDS, Check, Schedule, check, check_jobs, run_schedule
from cosched.replay import Replay, replay
from cosched.tool import convert, run_status, timings, what

__version__ = version()

for _kind in (Error, InputError, MissingPart, OutOfMemory, PolicyError, Stopped, SystemFault, UsageError, Warning):
    _kind.__module__ = __name__

_made = _case.functions()
globals().update(_made)

__all__ = ["KINDS", "Campaign", "Case", "Check", "Error", "InputError", "JobLog", "MalleablePolicy", "MissingPart", "MoldablePolicy", "OutOfMemory", "PackPolicy", "Picture", "PolicyError", "PolicyText", "PtgStrategy", "Replay", "RigidPolicy",
           "DryRun", "Run", "Schedule", "Stopped", "SystemFault", "UsageError", "VolatilePolicy", "Warning", "check", "check_jobs", "convert", "describe", "generate", "papers", "metrics", "parameters", "pattern", "plot", "policies", "replay", "report", "run", "run_dry", "run_resume", "run_schedule", "run_status", "serve", "test_policy", "timings", "version", "what", *_made]


def __getattr__(name):
    """Former names, which stay for one release."""
    former = {"Study": ("Case", Case), "values": ("metrics", metrics)}
    if name not in former:
        raise AttributeError("module 'cosched' has no attribute %r" % name)
    _case.renamed("cosched." + name, "cosched." + former[name][0])
    return former[name][1]
