"""Faults that tests of the store try, each named here with those; the campaign runs them."""

import re
import subprocess
import sys
from functools import partial
from pathlib import Path

from tests.faults.campaign import FAULTS, Run

TESTS = """
34 a sync that takes long
    eventstore/test_queue.py::test_who_waits_too_long_behind_another_thread_is_told_and_writes_nothing
    eventstore/test_queue.py::test_appends_that_come_during_a_sync_share_the_next_one
36 each bit of a small log flipped, one at a time
    eventstore/test_chain.py::test_a_bit_changed_in_any_byte_is_detected_and_its_line_named
37 a line deleted, doubled, moved, swapped, put in, at every place
    eventstore/test_chain.py::test_a_missing_line_is_named_as_missing
    eventstore/test_chain.py::test_a_doubled_line_is_named_as_doubled
    eventstore/test_chain.py::test_lines_in_another_order_or_with_another_are_detected
38 the chain made again after an edit
    eventstore/test_chain.py::test_an_anchor_shows_what_a_chain_alone_cannot
39 the tail cut off by k acked records
    eventstore/test_chain.py::test_a_tail_cut_off_is_shown_by_an_anchor_and_by_writers
40 the whole log replaced by an older copy, or by a forged one
    eventstore/test_jsonl.py::test_a_log_that_was_cut_or_rewritten_in_place_is_noticed
    eventstore/test_jsonl.py::test_a_replaced_log_is_noticed
    eventstore/test_resuming.py
41 lines of another log spliced in
    eventstore/test_chain.py::test_lines_in_another_order_or_with_another_are_detected
42 keys twice, other orders, BOM, CR LF, NUL, NaN, 1e999, 2^53+1, half a pair, depth, marks without end
    eventstore/test_chain.py::test_a_forged_line_whose_chain_fits_is_refused_by_both_for_its_form
    eventstore/test_chain.py::test_a_forged_envelope_is_told_with_line_byte_and_hint
    eventstore/test_form.py::test_what_is_malformed_is_refused_with_field_and_reason
    eventstore/test_jsonl.py::test_a_broken_log_names_line_and_reason_and_nobody_writes_to_it
    eventstore/test_versions.py::test_an_old_line_is_held_to_the_form_of_its_own_version
    faults/test_limits.py::test_marks_without_end_are_put_in_order_at_once
43 payloads withheld, put back, and others put in their place
    eventstore/test_withheld.py
    eventstore/test_chain.py::test_event_and_salt_are_withheld_together_or_not_at_all
    eventstore/test_jsonl.py::test_a_log_with_withheld_payloads_is_read_and_appended_to
50 fork after open; the child appends
    eventstore/test_jsonl.py::test_a_child_process_does_not_write_with_its_parents_lock
    eventstore/test_jsonl.py::test_a_child_process_writes_although_its_parent_was_about_to_write_for_the_first_time
    faults/test_hands.py::test_a_lock_dies_with_its_process_though_a_child_of_it_lives_on
    faults/test_hands.py::test_a_child_lets_go_of_what_it_inherited_before_its_threads_begin
57 a part of an append repeated
    eventstore/test_jsonl.py::TestTheContract::test_a_key_with_other_facts_is_refused
"""
"""Each fault with its number, and below it the tests that try it."""


def by_tests(nodes: list[str], run: Run) -> None:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-m",
        "slow or not slow",
        "-rp",
    ]
    done = subprocess.run(
        [*command, *nodes], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    if not done.stdout.strip() or done.returncode:
        run.breach("I6", ", ".join(nodes), done.stdout[-600:] + done.stderr[-300:])
    run.counts.cases += done.stdout.count("\nPASSED ")


for _number, _name, _nodes in re.findall(r"^(\d+) (.*)\n((?:    .*\n)+)", TESTS, re.MULTILINE):
    FAULTS[int(_number)] = (_name, partial(by_tests, [f"tests/{node}" for node in _nodes.split()]))
