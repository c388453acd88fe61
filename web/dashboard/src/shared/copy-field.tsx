import { Button, Code, CopyButton, Group } from '@mantine/core'
import { Check, Copy } from 'lucide-react'

/** A `ref` that focuses an element when it appears. The function is stable, so that this happens once. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus()

interface CopyFieldProps {
  readonly value: string
  /** The name of the value for screen readers, such as "the key". */
  readonly name: string
  /** Whether the button gets the focus when it appears, because the focused element has disappeared. */
  readonly takesFocus?: boolean
}

/** A text to copy. */
export const CopyField = ({ value, name, takesFocus = false }: CopyFieldProps) => (
  <Group gap="xs" align="flex-start">
    <Code
      block
      flex="1 1 16rem"
      miw={0}
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      tabIndex={0}
      role="group"
      aria-label={name}
    >
      {value}
    </Code>
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          {...(takesFocus && { ref: takeFocus })}
          variant="default"
          onClick={copy}
          aria-label={`Copy ${name}`}
          leftSection={copied ? <Check /> : <Copy />}
        >
          <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
        </Button>
      )}
    </CopyButton>
  </Group>
)
