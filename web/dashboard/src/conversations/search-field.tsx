import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { fetchApi } from '../api/api.js'
import { isNotFound, problemOf } from '../api/problem.js'
import { isId } from './conversation-filter.js'

/** Whether there is a conversation with this id. */
const hasConversation = async (sessionId: string): Promise<boolean> => {
  try {
    await fetchApi.GET('/dashboard/api/v1/agent-sessions/{sessionId}', { params: { path: { sessionId } } })
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

export interface IdFieldProps {
  readonly endUser: string | undefined
  /** Called with the id of an end user, or without one when the field is emptied. */
  onChange(endUser: string | undefined): void
}

/** Opens the conversation whose id is typed, or else chooses the conversations of the end user who has it. */
export const IdField = ({ endUser, onChange }: IdFieldProps) => {
  const [shown, setShown] = useState(endUser)
  const [text, setText] = useState(endUser ?? '')
  // The address of the page has changed. The field keeps the focus.
  if (endUser !== shown) {
    setShown(endUser)
    setText(endUser ?? '')
  }
  const navigate = useNavigate()
  const find = useMutation({
    mutationFn: hasConversation,
    onSuccess: (isFound, id) =>
      isFound ? navigate({ to: '/conversations/$sessionId', params: { sessionId: id } }) : onChange(id),
  })
  const [isWrong, setWrong] = useState(false)
  const change = (typed: string) => {
    setText(typed)
    setWrong(false)
    find.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const id = text.trim().toLowerCase()
    if (id === '') onChange(undefined)
    else if (isId(id)) find.mutate(id)
    else setWrong(true)
  }
  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          type="search"
          label="Conversation or end user"
          placeholder="Id"
          leftSection={<Search aria-hidden size={16} />}
          value={text}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          error={(isWrong && 'Type a whole id.') || (find.error !== null && problemOf(find.error).detail)}
        />
      </form>
    </search>
  )
}
