"""Faults that tests of the store and the service try, each named here with those; the campaign runs them."""

import re
import subprocess
import sys
from functools import partial
from pathlib import Path

from tests.faults.campaign import FAULTS, Run

TESTS = """
17 an empty file
    eventstore/test_jsonl.py::test_a_file_of_another_kind_is_named_and_left_alone
    eventstore/test_jsonl.py::test_reading_changes_neither_log_nor_folder
18 a first record only, cut short
    eventstore/test_jsonl.py::test_a_first_record_cut_short_is_no_log_and_is_left_alone
34 a sync that takes long
    eventstore/test_queue.py::test_who_waits_too_long_behind_another_thread_writes_nothing
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
47 a stale handle after another process wrote, recovered, repaired, replaced
    eventstore/test_jsonl.py::TestTheContract::test_a_stale_handle_is_told_what_the_other_wrote
    eventstore/test_jsonl.py::test_a_log_that_was_cut_or_rewritten_in_place_is_noticed
    eventstore/test_jsonl.py::test_a_replaced_log_is_noticed
    eventstore/test_committing.py::test_where_anything_is_unusual_the_full_path_sees_to_it
    eventstore/test_repair.py::test_handles_that_were_open_before_go_on_after_a_repair
48 a process killed while it holds the lock
    faults/test_hands.py::test_a_lock_dies_with_its_process_though_a_child_of_it_lives_on
50 fork after open; the child appends
    eventstore/test_jsonl.py::test_a_child_process_does_not_write_with_its_parents_lock
    faults/test_hands.py::test_a_lock_dies_with_its_process_though_a_child_of_it_lives_on
    faults/test_hands.py::test_a_child_lets_go_of_what_it_inherited_before_its_threads_begin
52 the lock file deleted while held (it is the log itself that is locked: taken away, replaced)
    faults/test_hands.py::test_an_append_to_a_log_that_is_taken_away_meanwhile_is_not_acked
    eventstore/test_jsonl.py::test_a_deleted_log_is_not_brought_back
53 `echo >> log` without a lock
    faults/test_hands.py::test_what_is_put_in_by_hand_right_behind_an_append_is_not_chained_over
    faults/test_hands.py::test_what_stands_behind_a_line_put_in_by_hand_was_not_acked
    faults/test_hands.py::test_half_a_line_put_in_by_hand_is_put_aside_and_told
    eventstore/test_repair.py::test_whole_appends_before_a_fault_are_kept_and_the_rest_put_aside
55 a reader following during appends, recovery, repair, replacement
    eventstore/test_following.py
56 an append repeated after an unknown outcome
    eventstore/test_jsonl.py::TestTheContract::test_a_retry_with_the_same_key_adds_nothing
    eventstore/test_jsonl.py::test_a_failed_sync_poisons_the_handle_and_is_never_repeated
    eventstore/test_jsonl.py::test_a_failed_sync_that_cannot_be_undone_leaves_the_outcome_to_the_key
    eventstore/test_committing.py::test_what_a_retry_is_told_is_not_taken_back_if_the_disk_fails
    faults/test_disks.py::test_an_append_that_was_cut_short_can_be_repeated_under_its_key
57 a part of an append repeated
    eventstore/test_jsonl.py::TestTheContract::test_a_key_with_other_facts_is_refused
60 at every limit and one beyond; 100,000 facts in one append; a payload of 10 MiB
    eventstore/test_jsonl.py::TestTheContract::test_limits_are_checked_before_anything_is_written
    eventstore/test_jsonl.py::TestTheContract::test_the_longest_line_is_written_and_read
    eventstore/test_jsonl.py::TestTheContract::test_the_largest_batch_is_read_whole
    eventstore/test_jsonl.py::TestTheContract::test_words_of_120_characters_are_the_longest
    eventstore/test_jsonl.py::test_an_append_has_its_largest_size_in_bytes
    eventstore/test_form.py::test_nesting_is_allowed_up_to_the_limit
    eventstore/test_form.py::test_whole_numbers_are_kept_up_to_the_largest
    eventstore/test_form.py::test_what_is_read_is_no_longer_than_a_line
    faults/test_limits.py::test_what_is_far_beyond_the_limits_is_refused_with_nothing_written
62 events of unknown types survive reading, copying, export and import
    eventstore/test_versions.py::test_a_version_or_type_yet_to_come_is_kept_byte_for_byte_and_named
    eventstore/test_copying.py::test_what_came_through_a_pipe_has_the_bytes_of_its_source
    faults/test_limits.py::test_events_of_unknown_types_are_exported_and_imported_as_they_are
64 a log on NFS, CIFS, 9p, FUSE; on a medium that can only be read
    eventstore/test_disk.py::test_a_network_file_system_is_refused_with_the_reason
    eventstore/test_disk.py::test_a_disk_of_this_machine_is_none
    eventstore/test_disk.py::test_only_the_stores_own_words_of_it_count
    eventstore/test_disk.py::test_a_log_made_there_says_so_from_the_start
    eventstore/test_disk.py::test_the_kind_of_a_real_file_system_is_known
    eventstore/test_jsonl.py::test_a_log_that_may_only_be_read_is_read_but_not_appended_to
    eventstore/test_ending.py::test_what_cannot_be_synced_need_not_be
90 requests to a service of two lengths, no HTTP, wrong tokens without end; its log rolled back
    encounterlog/service/test_limits.py::test_what_is_not_http_is_refused
    encounterlog/service/test_limits.py::test_who_asks_too_often_is_told_when_to_ask_again
    encounterlog/service/test_streams.py::test_a_log_rewritten_or_cut_off_under_a_stream_ends_it_with_a_reset
93 connections to a service with TLS that never begin it, break off or speak none, beside who writes
    encounterlog/service/test_limits.py::test_tls_that_is_none_is_cut_off_and_keeps_nobody_out
"""
"""Each fault with its number, and below it the tests that try it."""


def by_tests(nodes: list[str], run: Run) -> None:
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", "-m", "slow or not slow", "-rp"]
    done = subprocess.run(
        [*command, *nodes], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    if not done.stdout.strip() or done.returncode:
        run.breach("I6", ", ".join(nodes), done.stdout[-600:] + done.stderr[-300:])
    run.counts.cases += done.stdout.count("\nPASSED ")


for _number, _name, _nodes in re.findall(r"^(\d+) (.*)\n((?:    .*\n)+)", TESTS, re.MULTILINE):
    FAULTS[int(_number)] = (_name, partial(by_tests, [f"tests/{node}" for node in _nodes.split()]))
