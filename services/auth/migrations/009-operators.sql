-- People who may do in the dashboard what the command line of operators does. They are named by the command line alone.
create table operators (
  person_id uuid primary key references people on delete cascade,
  created_at timestamptz not null default now()
);
