import { Button } from '@mantine/core'
import { Headphones } from 'lucide-react'

export interface ListenButtonProps {
  readonly isListening: boolean
  onListen(): void
}

/** Begins to listen to a live conversation. */
export const ListenButton = ({ isListening, onListen }: ListenButtonProps) => (
  <Button variant="light" leftSection={<Headphones />} disabled={isListening} onClick={onListen}>
    Listen
  </Button>
)
