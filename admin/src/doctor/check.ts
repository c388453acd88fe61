import type { Environment, Service } from '@parlance/runtime'
import type { ModelTools } from '../models/model-tools.js'

export const statuses = ['ok', 'warning', 'error', 'skipped'] as const
export type Status = (typeof statuses)[number]

/** One result of a check: a sentence, and for an error or a warning how to fix it. */
export interface Finding {
  readonly status: Status
  readonly found: string
  readonly fix?: string
}

export const ok = (found: string): Finding => ({ status: 'ok', found })
export const warning = (found: string, fix: string): Finding => ({ status: 'warning', found, fix })
export const error = (found: string, fix: string): Finding => ({ status: 'error', found, fix })

/** A check that does not apply, or was not requested. */
export const skipped = (found: string): Finding => ({ status: 'skipped', found })

/** The names of the checks, for `--only` and its help, since the checks themselves load every service. */
export const checkNames = [
  ...(['environment', 'nats', 'redis', 'postgres', 'migrations', 'engines'] as const),
  ...(['models', 'clocks', 'outbound', 'udp', 'ice', 'websocket'] as const),
] as const
export type CheckName = (typeof checkNames)[number]

/** The options of the checks. */
export interface DoctorOptions {
  /** The services whose required variables must be set here. */
  readonly service?: readonly string[]
  /** A folder with the credentials of each user of NATS. */
  readonly natsUsers?: string
  /** Where STUN requests are sent to, and the UDP port at which they are answered. */
  readonly udpTo?: { readonly host: string; readonly port: number }
  readonly udpAnswer?: number
  /** The public address of the API. */
  readonly url?: string
  /** How long a WebSocket is kept open without traffic. */
  readonly wsIdle?: number
}

/** The installation that is checked. */
export interface CheckContext extends DoctorOptions {
  readonly environment: Environment
  /** The services run in one process with embedded stores: `npm start`. */
  readonly isStandalone: boolean
  readonly services: readonly Service[]
  readonly models: Pick<ModelTools, 'findModels' | 'readRecord' | 'findChangedFiles'>
  /** The models folder of the installation. */
  readonly modelsDir: string
}

/** A check of one thing. It returns its findings; an exception becomes an error. */
export interface Check {
  readonly name: CheckName
  run(context: CheckContext, signal: AbortSignal): Promise<readonly Finding[]>
  /** Default 15,000. */
  timeoutMs?(context: CheckContext): number
}

export interface CheckedFinding extends Finding {
  readonly check: CheckName
}

const numbersOf = (version: string): number[] => version.split(/[.-]/).map((part) => Number.parseInt(part, 10) || 0)

/** Whether a version such as `2.10.4` is lower than another. */
export const isOlder = (version: string, than: string): boolean => {
  const [own, other] = [numbersOf(version), numbersOf(than)]
  const different = other.findIndex((part, index) => part !== (own[index] ?? 0))
  return different >= 0 && (own[different] ?? 0) < other[different]!
}
