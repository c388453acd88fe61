-- A member has one role. The library takes several and joins them with commas, which no other part of Parlance can read.
create function greatest_role(roles text) returns text language sql immutable as $$
  select case
    when 'owner' = any (string_to_array(roles, ',')) then 'owner'
    when 'admin' = any (string_to_array(roles, ',')) then 'admin'
    else 'member' end
$$;

update members set role = greatest_role(role) where role not in ('owner', 'admin', 'member');
update invitations set role = greatest_role(role) where role not in ('owner', 'admin', 'member');
drop function greatest_role;

alter table members add constraint one_role check (role in ('owner', 'admin', 'member'));
alter table invitations add constraint one_role check (role in ('owner', 'admin', 'member'));
