-- no transaction
drop index concurrently if exists audit_log_by_action;
create index concurrently audit_log_by_action on audit_log (workspace_id, action, created_at, id);
drop index concurrently if exists audit_log_by_actor;
create index concurrently audit_log_by_actor on audit_log (workspace_id, actor_id, created_at, id);
drop index concurrently if exists audit_log_of_operators;
create index concurrently audit_log_of_operators on audit_log (workspace_id, created_at, id) where actor_kind = 'operator';
