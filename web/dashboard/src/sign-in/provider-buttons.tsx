import { Button, Divider, Stack } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { signInByPasskey } from '../account/passkey-ceremony.js'
import { account } from '../api/account.js'
import { api } from '../api/api.js'
import { ProblemAlert } from '../shared/problem-alert.js'

interface ProviderButtonsProps {
  /** The path to which a person comes after the sign-in. */
  readonly next: string
}

/** The buttons to sign in by a passkey and by an identity provider, if configured. */
export const ProviderButtons = ({ next }: ProviderButtonsProps) => {
  const { data } = api.useQuery('get', '/dashboard/api/identity-providers')
  const signIn = useMutation({
    mutationFn: (id: string) => account.signInBy(id, next, `/sign-in?${new URLSearchParams({ next })}`),
    onSuccess: ({ url }) => location.assign(url),
  })
  // A browser may keep the page with its busy button, and show it again to a person who returns from the provider.
  useWindowEvent('pageshow', ({ persisted }) => persisted && signIn.reset())
  const passkey = useMutation({ mutationFn: signInByPasskey, onSuccess: () => location.assign(next) })
  if (data === undefined || (data.providers.length === 0 && !data.passkeys)) return null
  return (
    <Stack gap="sm">
      <Divider label="or" />
      <ProblemAlert error={passkey.error ?? signIn.error} />
      {data.passkeys && (
        <Button
          variant="default"
          fullWidth
          loading={passkey.isPending || passkey.isSuccess}
          onClick={() => passkey.mutate()}
        >
          Sign in with a passkey
        </Button>
      )}
      {data.providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          fullWidth
          loading={signIn.isPending || signIn.isSuccess}
          onClick={() => signIn.mutate(id)}
        >
          Sign in with {name}
        </Button>
      ))}
    </Stack>
  )
}
