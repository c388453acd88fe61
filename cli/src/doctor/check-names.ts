/** The names of the checks, for `--only` and its help: the checks themselves load every service. */
export const checkNames = [
  ...[
    'environment',
    'nats',
    'redis',
    'postgres',
    'migrations',
    'engines',
    'models',
    'clocks',
    'outbound',
    'udp',
    'ice',
  ],
  'websocket',
] as const
export type CheckName = (typeof checkNames)[number]
