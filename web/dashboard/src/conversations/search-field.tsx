import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Search } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import * as z from 'zod/mini'
import { fetchApi } from '../api/api.js'
import { isNotFound, problemOf } from '../api/problem.js'
import { type ConversationFilter, maxSaid } from './conversation-filter.js'

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

type Searched = Pick<ConversationFilter, 'end_user' | 'said'>

const textOf = ({ end_user, said }: Searched): string => end_user ?? said ?? ''

interface SearchFieldProps {
  readonly filter: Searched
  /** Called with what is searched for: nothing when the field is emptied. */
  onChange(searched: Searched): void
}

/**
 * Opens the conversation whose id is typed, or chooses those of the end user who has it. Other texts choose the conversations in
 * which they were said.
 */
export const SearchField = ({ filter, onChange }: SearchFieldProps) => {
  const wanted = textOf(filter)
  const [shown, setShown] = useState(wanted)
  const [text, setText] = useState(wanted)
  // The address of the page has changed. The field keeps the focus.
  if (wanted !== shown) {
    setShown(wanted)
    setText(wanted)
  }
  const navigate = useNavigate()
  const find = useMutation({
    mutationFn: hasConversation,
    onSuccess: (isFound, id) =>
      isFound ? navigate({ to: '/conversations/$sessionId', params: { sessionId: id } }) : onChange({ end_user: id }),
  })
  const change = (typed: string) => {
    setText(typed)
    find.reset()
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const said = text.trim()
    const id = said.toLowerCase()
    if (z.guid().safeParse(id).success) find.mutate(id)
    else onChange(said === '' ? {} : { said })
  }
  return (
    <search>
      <form onSubmit={submit}>
        <TextInput
          type="search"
          label="Search"
          placeholder="Words that were said, or the id of a conversation or an end user"
          maxLength={maxSaid}
          leftSection={<Search />}
          value={text}
          onChange={({ currentTarget }) => change(currentTarget.value)}
          error={find.error !== null && problemOf(find.error).detail}
        />
      </form>
    </search>
  )
}
