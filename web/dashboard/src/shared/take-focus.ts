/** The `ref` of what gets the focus as it appears. It is the same function each time, so that this happens once. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()
