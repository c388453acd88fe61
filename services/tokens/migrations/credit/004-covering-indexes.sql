-- no transaction
-- Sums over a long time read these indexes alone. No row has amounts or quantities unless it is settled.
drop index concurrently if exists holds_summed;
create index concurrently holds_summed on holds (workspace_id, resolved_at) include (
  kind, key_id, agent_id, paid_by_lease, paid_late, tts_characters, session_seconds, stt_seconds, llm_input_tokens,
  llm_output_tokens) where resolution = 'settled';
drop index concurrently if exists holds_used;
drop index concurrently if exists transfers_summed;
create index concurrently transfers_summed on transfers (workspace_id) include (from_account, to_account, amount);
