-- An invitation without an inviter was made by an operator.
alter table invitations alter column inviter_id drop not null;
