/**
 * How far the audio that was sent reaches beyond what a listener can have heard by now, who began with the first of it
 * and waited wherever there was none. What a kernel holds for a reader that has stopped looks sent: only this bounds it.
 */
export interface Playhead {
  /** In ms. */
  aheadMs(nowMs: number): number
  sent(durationMs: number, nowMs: number): void
  /** Of all that was sent. */
  heardMs(nowMs: number): number
}

export const createPlayhead = (): Playhead => {
  // Numbers that change with each frame are fields: as variables of a closure each would be new memory each time.
  const sent = { endsAtMs: Number.NEGATIVE_INFINITY, totalMs: 0 }
  const aheadMs = (nowMs: number) => Math.max(0, sent.endsAtMs - nowMs)

  return {
    aheadMs,
    sent(durationMs, nowMs) {
      sent.endsAtMs = Math.max(sent.endsAtMs, nowMs) + durationMs
      sent.totalMs += durationMs
    },
    heardMs: (nowMs) => Math.max(0, sent.totalMs - aheadMs(nowMs)),
  }
}
