-- What an Agent is made of is in its revisions, what conversations run on in its publications. Both are only ever added
-- to: the newest revision is the draft, and the newest publication is the one in force. An Agent that is deleted stays
-- as a row, for whatever still names it; only its slug is free again.
create table agents (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  slug text not null,
  -- Slug, display name and description in one case, since how Postgres folds case depends on its locale.
  search_text text not null,
  draft_version integer not null default 1,
  publication_version integer,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  deleted_at timestamptz,
  primary key (workspace_id, id)
);

create unique index agents_live_slug on agents (workspace_id, slug) where deleted_at is null;
create index on agents (workspace_id, created_at, id) where deleted_at is null;

create table revisions (
  workspace_id uuid not null,
  agent_id uuid not null,
  id uuid not null default gen_random_uuid(),
  version integer not null,
  -- Not jsonb, which has no place for every text that is JSON and does not give it back as it came.
  config json not null,
  config_bytes integer not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, agent_id, id),
  unique (workspace_id, agent_id, version),
  foreign key (workspace_id, agent_id) references agents
);

create table publications (
  workspace_id uuid not null,
  agent_id uuid not null,
  id uuid not null default gen_random_uuid(),
  version integer not null,
  revision_id uuid not null,
  -- Of the configuration, so that showing a publication needs no look into it.
  memory_enabled boolean not null,
  calendar_enabled boolean not null,
  api_ready boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  primary key (workspace_id, agent_id, id),
  unique (workspace_id, agent_id, version),
  foreign key (workspace_id, agent_id, revision_id) references revisions
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or removed', tg_table_name;
end
$$;

create trigger immutable before update or delete or truncate on revisions execute function refuse_change();
create trigger immutable before update or delete or truncate on publications execute function refuse_change();

alter table agents enable row level security;
alter table agents force row level security;
create policy of_workspace on agents using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table revisions enable row level security;
alter table revisions force row level security;
create policy of_workspace on revisions using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');

alter table publications enable row level security;
alter table publications force row level security;
create policy of_workspace on publications using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');
