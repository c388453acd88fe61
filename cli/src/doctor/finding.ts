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
