import { Counter, Gauge } from 'prom-client'
import type { Instruments } from './instruments.js'

/** Reservations of credit. Amounts are in thousandths of a credit. */
export interface CreditMetrics {
  /** A reservation was made in this process. */
  creditReserved(milliCredits: number): void
  /** A reservation of this process has ended, of `heldMilliCredits`, of which `chargedMilliCredits` were charged. */
  creditEnded(end: 'settled' | 'released', heldMilliCredits: number, chargedMilliCredits: number): void
  /** A reservation was not renewed, because its process has ended, and its credit was returned. */
  creditExpired(): void
  /** The credit of a workspace became low, or exhausted. */
  creditFell(level: 'low' | 'exhausted'): void
}

/** `reservations` are made by services that sell speech, and credit is kept by the ledger, which ends reservations too. */
export const createCreditMetrics = (reservations: Instruments, ledger: Instruments): CreditMetrics => {
  const { registers } = reservations
  const open = new Gauge({
    registers,
    name: 'parlance_credit_reservations_open',
    help: 'Reservations of credit for work that is in progress',
  })
  const held = new Gauge({
    registers,
    name: 'parlance_credit_reserved_millicredits',
    help: 'Credit that is reserved for work that is in progress, in thousandths of a credit',
  })
  const ended = new Counter({
    registers: [...new Set([...registers, ...ledger.registers])],
    name: 'parlance_credit_reservations_ended_total',
    help: 'Reservations that have ended: settled (charged for), released (nothing to pay), expired (its process was lost)',
    labelNames: ['end'],
  })
  const charged = new Counter({
    registers,
    name: 'parlance_credit_charged_millicredits_total',
    help: 'Credit that was charged, in thousandths of a credit',
  })
  const fell = new Counter({
    registers: ledger.registers,
    name: 'parlance_credit_fell_total',
    help: 'Workspaces whose credit became low (below CREDIT_LOW) or exhausted, each once until credit is granted',
    labelNames: ['level'],
  })
  for (const end of ['settled', 'released', 'expired']) ended.labels(end).inc(0)
  for (const level of ['low', 'exhausted']) fell.labels(level).inc(0)

  return {
    creditReserved(milliCredits) {
      open.inc()
      held.inc(milliCredits)
    },
    creditEnded(end, heldMilliCredits, chargedMilliCredits) {
      open.dec()
      held.dec(heldMilliCredits)
      ended.labels(end).inc()
      charged.inc(chargedMilliCredits)
    },
    creditExpired: () => ended.labels('expired').inc(),
    creditFell: (level) => fell.labels(level).inc(),
  }
}
