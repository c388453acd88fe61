-- Visitors of a public Agent know its id and not its workspace.
create index on agents (id);
