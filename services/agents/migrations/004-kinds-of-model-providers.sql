-- The contract of the service checks the kind, and names all kinds.
alter table model_providers drop constraint model_providers_kind_check;
