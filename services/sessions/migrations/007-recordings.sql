-- How the conversations of an Agent are recorded. An Agent without a row has the defaults.
create table recording_settings (
  workspace_id uuid not null,
  agent_id uuid not null,
  enabled boolean not null,
  consent_required boolean not null,
  retention_days integer not null,
  primary key (workspace_id, agent_id)
);

-- Recordings, whose audio is in the storage. There is no reference to the conversation: a row outlives it until the audio is
-- deleted.
create table recordings (
  workspace_id uuid not null,
  session_id uuid not null,
  agent_id uuid not null,
  end_user_id uuid,
  state text not null default 'recording' check (state in ('recording', 'stored', 'failed', 'deleted')),
  started_at timestamptz(3) not null,
  retention_days integer not null,
  duration_ms integer,
  size_bytes bigint,
  expires_at timestamptz(3),
  failure text,
  -- Where each message begins in the audio: a JSON array.
  positions json not null default '[]',
  -- Since when the audio is to be deleted.
  removal_at timestamptz(3),
  primary key (workspace_id, session_id)
);

create index on recordings (expires_at) where state = 'stored';
create index on recordings (removal_at) where removal_at is not null;
create index on recordings (state) where state = 'recording';
create index on recordings (workspace_id, end_user_id);

create function remove_recording() returns trigger language plpgsql as $$
begin
  update recordings set removal_at = coalesce(removal_at, now())
  where workspace_id = old.workspace_id and session_id = old.id;
  return null;
end
$$;

create trigger remove_recording after delete on sessions for each row execute function remove_recording();

alter table recording_settings enable row level security;
alter table recording_settings force row level security;
create policy of_workspace on recording_settings using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table recordings enable row level security;
alter table recordings force row level security;
create policy of_workspace on recordings using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');
