/** Wraps callbacks whose caller must not see their errors: `onError` gets them. */
export const createGuard =
  (onError: (error: unknown) => void) =>
  <Parameters extends unknown[]>(work: (...parameters: Parameters) => void) =>
  (...parameters: Parameters): void => {
    try {
      work(...parameters)
    } catch (error) {
      onError(error)
    }
  }
