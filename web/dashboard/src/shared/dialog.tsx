import { Button, type ButtonProps, Modal, type ModalProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useLayoutEffect, useState } from 'react'

/** Longer than the library needs to return the focus by itself. */
const afterLibraryMs = 20

/** The button of the menu that the element is in, whose items go when one is chosen; otherwise the element. */
const openerOf = (element: Element | null): HTMLElement | null => {
  const menuButton = element?.closest('[role=menu]')?.getAttribute('aria-labelledby')
  return typeof menuButton === 'string' ? document.getElementById(menuButton) : (element as HTMLElement | null)
}

/** Returns the focus to what opened a dialog, which the library does only for a dialog that stays mounted. */
const useReturnedFocus = (): void => {
  // Read while it is rendered: an effect would run after the menu has gone.
  const [opener] = useState(() => openerOf(document.activeElement))
  useLayoutEffect(
    () => () => {
      const atClose = document.activeElement
      setTimeout(() => {
        const { activeElement, body } = document
        if (activeElement === null || activeElement === body || activeElement === atClose) {
          opener?.focus({ preventScroll: true })
        }
      }, afterLibraryMs)
    },
    [opener],
  )
}

export interface DialogProps extends Pick<ModalProps, 'title' | 'size' | 'closeOnClickOutside' | 'children'> {
  onClose(): void
}

/** A dialog, which is mounted while it is open. */
export const Dialog = (props: DialogProps) => {
  useReturnedFocus()
  return <Modal opened {...props} />
}

interface DialogButtonProps extends Omit<ButtonProps, 'children'> {
  /** On the button. */
  readonly label: string
  /** The name of the button for screen readers, where its label is not enough. */
  readonly name?: string
  /** The dialog. */
  readonly children: (close: () => void) => ReactNode
}

/** A button that opens a dialog. */
export const DialogButton = ({ label, name, children, ...button }: DialogButtonProps) => {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button {...button} aria-label={name} onClick={open}>
        {label}
      </Button>
      {isOpen && children(close)}
    </>
  )
}
