import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { passwordFormId, signInWaysQuery } from '../account/sign-in-ways.js'
import { PageButton } from '../shared/links.js'

/** For a person who signed in by a link, which works only once, and could not sign in again. */
export const PasswordHint = () => {
  const { data: ways } = useQuery(signInWaysQuery)
  if (ways === undefined || ways.length > 0) return null
  return (
    <PageButton to="/account" hash={passwordFormId} size="xs" variant="light" px="sm">
      <Box visibleFrom="sm" mr={6} lh={0}>
        <KeyRound size={14} />
      </Box>
      Set a password
    </PageButton>
  )
}
