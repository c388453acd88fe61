/** Steps that undo completed work when later work fails. */
export interface Undo {
  add(step: () => unknown): void
  /** Runs the steps, the last one first. A step that fails does not stop the others. Never rejects. */
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
