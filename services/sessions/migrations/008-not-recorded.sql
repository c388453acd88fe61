-- A conversation of an Agent that is recorded, which was not: `failure` is the reason, and there is no audio. Existing rows have
-- other states, so they are not read again.
alter table recordings drop constraint recordings_state_check;
alter table recordings add constraint recordings_state_check
  check (state in ('recording', 'stored', 'failed', 'deleted', 'not_recorded')) not valid;
