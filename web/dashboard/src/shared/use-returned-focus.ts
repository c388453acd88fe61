import { useLayoutEffect, useState } from 'react'

/** Longer than the dialog of the library needs to return the focus by itself. */
const afterLibraryMs = 20

/** The button of the menu that the element is in, whose items go when one is chosen; otherwise the element. */
const openerOf = (element: Element | null): HTMLElement | null => {
  const menuButton = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return typeof menuButton === 'string' ? document.getElementById(menuButton) : (element as HTMLElement | null)
}

interface Opener {
  readonly wasOpened: boolean
  readonly opener: HTMLElement | null
}

/**
 * Returns the focus to the element that opened a dialog. The library does this for a dialog that stays mounted, and to an
 * element that still exists: not for one that is mounted while it is open, and not to the item of a menu.
 */
export const useReturnedFocus = (opened: boolean): void => {
  const [{ wasOpened, opener }, setOpener] = useState<Opener>({ wasOpened: false, opener: null })
  // Read while it is rendered: an effect would run after the menu has gone.
  if (opened !== wasOpened) {
    setOpener({ wasOpened: opened, opener: opened ? openerOf(document.activeElement) : opener })
  }
  useLayoutEffect(() => {
    if (!wasOpened) return
    return () => {
      const atClose = document.activeElement
      setTimeout(() => {
        const { activeElement, body } = document
        if (activeElement === null || activeElement === body || activeElement === atClose) {
          opener?.focus({ preventScroll: true })
        }
      }, afterLibraryMs)
    }
  }, [wasOpened, opener])
}
