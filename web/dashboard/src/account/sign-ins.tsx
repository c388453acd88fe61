import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { account } from '../api/account.js'
import { Loaded } from '../shared/loaded.js'
import { ProblemAlert } from '../shared/problem-alert.js'

const counted = (count: number): string => (count === 1 ? 'one browser' : `${count} browsers`)

/** The number of the person's sign-ins, and a button that ends all of them. */
export const SignIns = () => {
  const signIns = useQuery({ queryKey: ['sign-ins'], queryFn: account.listSignIns })
  const signOut = useMutation({
    mutationFn: account.signOutEverywhere,
    onSuccess: () => location.assign('/sign-in'),
  })
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm" align="flex-start">
        <Title order={2}>Sign-ins</Title>
        <Loaded query={signIns}>
          {(listed) => <Text size="sm">You are signed in with {counted(listed.length)}.</Text>}
        </Loaded>
        <ProblemAlert error={signOut.error} />
        <Button color="red" variant="light" loading={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out everywhere
        </Button>
      </Stack>
    </Paper>
  )
}
