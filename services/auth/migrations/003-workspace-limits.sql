-- How many conversations and streams a workspace may have at once; 0 for no limit.
alter table workspaces
  add column max_concurrent_sessions integer not null default 20 check (max_concurrent_sessions >= 0),
  add column max_concurrent_streams integer not null default 50 check (max_concurrent_streams >= 0);
