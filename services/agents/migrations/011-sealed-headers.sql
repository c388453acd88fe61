-- The values of headers that are sent to MCP servers. Revisions, which are never changed, have their ids; the values are sealed
-- by a master key that is not in the database, and may be sealed again by another. A value is for one origin.
create table sealed_headers (
  workspace_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  origin text not null,
  sealed text not null,
  primary key (workspace_id, id)
);

create index on sealed_headers (workspace_id, agent_id);

alter table sealed_headers enable row level security;
alter table sealed_headers force row level security;
create policy of_workspace on sealed_headers using (
  workspace_id = nullif(current_setting('parlance.workspace_id', true), '')::uuid
  or current_setting('parlance.every_workspace', true) = 'on');
