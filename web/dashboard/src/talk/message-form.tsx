import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import classes from './talk-panel.module.css'

export interface MessageFormProps {
  readonly isLive: boolean
  onSend(text: string): void
}

/** Typed messages. The Agent answers them in speech. */
export const MessageForm = ({ isLive, onSend }: MessageFormProps) => {
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || !isLive) return
    onSend(text.trim())
    setText('')
  }
  return (
    <form className={classes.message} onSubmit={submit}>
      <TextInput
        id="say"
        aria-label="Message"
        placeholder="Type a message"
        autoComplete="off"
        maxLength={4_000}
        disabled={!isLive}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button id="send" type="submit" variant="default" disabled={!isLive}>
        Send
      </Button>
    </form>
  )
}
