/** What was taken on the way to something that may still fail. */
export interface Undo {
  add(step: () => unknown): void
  /** Gives all of it back, the last first. Never rejects. */
  run(): Promise<void>
}

export const createUndo = (onFailure: (error: unknown) => void): Undo => {
  const steps: (() => unknown)[] = []
  return {
    add: (step) => void steps.push(step),
    async run() {
      for (const step of steps.splice(0).reverse()) {
        try {
          await step()
        } catch (error) {
          onFailure(error)
        }
      }
    },
  }
}
