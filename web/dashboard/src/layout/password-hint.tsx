import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { signInWaysQuery } from '../account/sign-in-ways.js'
import { PageButton } from '../shared/links.js'

/** For a person who could not sign in again: a link, which works once, brought the person here. */
export const PasswordHint = () => {
  const { data: ways } = useQuery(signInWaysQuery)
  if (ways === undefined || ways.length > 0) return null
  return (
    <PageButton to="/account" size="xs" variant="light" leftSection={<KeyRound aria-hidden size={14} />}>
      Set a password
    </PageButton>
  )
}
