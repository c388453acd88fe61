/** Awaits changes of a connection. */
export const createConnectionWatch = () => {
  const waiting: { wanted: boolean; resolve: () => void }[] = []
  return {
    onStateChange: (connected: boolean) => {
      for (const { wanted, resolve } of waiting) if (wanted === connected) resolve()
    },
    /** Resolves at the next change of the connection to `wanted`. */
    until: (wanted: boolean) => new Promise<void>((resolve) => waiting.push({ wanted, resolve })),
  }
}
