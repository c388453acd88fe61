export const statuses = ['ok', 'warning', 'error', 'skipped'] as const
export type Status = (typeof statuses)[number]

/** One thing that a check found: a sentence, and for what is wrong how to mend it. */
export interface Finding {
  readonly status: Status
  readonly found: string
  readonly fix?: string
}

export const ok = (found: string): Finding => ({ status: 'ok', found })
export const warning = (found: string, fix: string): Finding => ({ status: 'warning', found, fix })
export const error = (found: string, fix: string): Finding => ({ status: 'error', found, fix })

/** What does not apply here, or was not asked for. */
export const skipped = (found: string): Finding => ({ status: 'skipped', found })
