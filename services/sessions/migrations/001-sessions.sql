-- Conversations, live and past, with what was said in them. A row is written by the instance that holds the conversation;
-- one whose instance is gone is brought to its end by any other.
create table sessions (
  workspace_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  publication_id uuid not null,
  publication_version integer not null,
  end_user_id uuid,
  -- The instance that holds it.
  instance_id text not null,
  status text not null default 'connecting'
    check (status in ('connecting', 'active', 'ending', 'ended', 'failed')),
  transport text not null,
  input_mode text not null,
  created_at timestamptz not null default clock_timestamp(),
  started_at timestamptz,
  ended_at timestamptz,
  end_reason text,
  error_code text,
  error_detail text,
  stt_seconds double precision not null default 0,
  llm_input_tokens bigint not null default 0,
  llm_output_tokens bigint not null default 0,
  tts_characters bigint not null default 0,
  credit_used numeric(18, 9) not null default 0,
  -- Not jsonb, which has no place for every text that is JSON and does not give it back as it came.
  metadata json not null,
  metadata_bytes integer not null,
  primary key (workspace_id, id)
);

create index on sessions (workspace_id, created_at, id);
create index sessions_live on sessions (workspace_id, agent_id, instance_id)
  where status in ('connecting', 'active', 'ending');

create table messages (
  workspace_id uuid not null,
  session_id uuid not null,
  -- Counts the messages of a conversation from 0.
  position integer not null,
  id uuid not null,
  role text not null check (role in ('user', 'agent')),
  text text not null,
  text_bytes integer not null,
  interrupted boolean not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, session_id, position),
  foreign key (workspace_id, session_id) references sessions on delete cascade
);

create table turns (
  workspace_id uuid not null,
  session_id uuid not null,
  -- Counts the turns of a conversation from 0.
  position integer not null,
  endpointing_ms real,
  stt_ms real,
  llm_ttft_ms real,
  tts_ttfa_ms real,
  voice_to_voice_ms real,
  primary key (workspace_id, session_id, position),
  foreign key (workspace_id, session_id) references sessions on delete cascade
);

alter table sessions enable row level security;
alter table sessions force row level security;
create policy of_workspace on sessions using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table messages enable row level security;
alter table messages force row level security;
create policy of_workspace on messages using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table turns enable row level security;
alter table turns force row level security;
create policy of_workspace on turns using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');
