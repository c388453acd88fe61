-- Files that Agents answer from. The content is kept until it is indexed. An attempt moves due_at beyond its longest duration,
-- so that another attempt follows if the process stops.
create table knowledge_files (
  workspace_id uuid not null,
  id uuid not null default gen_random_uuid(),
  agent_id uuid not null,
  name text not null,
  content_type text not null,
  size_bytes integer not null,
  status text not null default 'indexing' check (status in ('indexing', 'ready', 'failed')),
  error text,
  -- The text search configuration whose words are indexed.
  language text not null,
  passages integer not null default 0,
  content bytea,
  attempts integer not null default 0,
  due_at timestamptz not null default clock_timestamp(),
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (workspace_id, id),
  foreign key (workspace_id, agent_id) references agents
);

create index on knowledge_files (workspace_id, agent_id, created_at, id);
create index on knowledge_files (due_at) where status = 'indexing';

create table knowledge_passages (
  workspace_id uuid not null,
  file_id uuid not null,
  -- Counts the passages of a file from 0.
  position integer not null,
  -- Counts the pages of a PDF from 1; null for other files.
  page integer,
  text text not null,
  primary key (workspace_id, file_id, position),
  foreign key (workspace_id, file_id) references knowledge_files on delete cascade
);

-- The positions of the passages that contain a word. A GIN index of tsvectors would not be used: the operator @@ is not leakproof,
-- so row-level security is checked before it.
create table knowledge_lexemes (
  workspace_id uuid not null,
  file_id uuid not null,
  lexeme text not null,
  passages integer[] not null,
  primary key (workspace_id, file_id, lexeme),
  foreign key (workspace_id, file_id) references knowledge_files on delete cascade
);

select protect('knowledge_files');
select protect('knowledge_passages');
select protect('knowledge_lexemes');
