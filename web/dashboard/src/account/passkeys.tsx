import { Button, Paper, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { account, type Passkey } from '../api/account.js'
import { api } from '../api/api.js'
import { ConfirmDialog } from '../shared/confirm-dialog.js'
import { type Column, DataTable } from '../shared/data-table.js'
import { PageButton } from '../shared/links.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { addPasskey, isSignInTooOld } from './passkey-ceremony.js'

const passkeysQuery = { queryKey: ['passkeys'], queryFn: account.listPasskeys }

const columns: readonly Column<Passkey>[] = [{ header: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} /> }]

const PasskeyList = () => {
  const client = useQueryClient()
  const passkeys = useQuery(passkeysQuery)
  const [removed, setRemoved] = useState<Passkey>()
  const changed = { onSuccess: () => client.invalidateQueries(passkeysQuery) }
  const add = useMutation({ mutationFn: addPasskey, ...changed })
  const remove = useMutation({ mutationFn: account.removePasskey, ...changed })
  const close = () => {
    setRemoved(undefined)
    remove.reset()
  }
  return (
    <Paper withBorder p="lg">
      <Stack gap="sm" align="flex-start">
        <Title order={2}>Passkeys</Title>
        <Text size="sm">
          Sign in with your device's lock, a security key or a password manager, without a password.
        </Text>
        <Loaded query={passkeys}>
          {(listed) =>
            listed.length > 0 && (
              <DataTable
                label="Passkeys"
                rows={listed}
                rowKey={({ id }) => id}
                columns={columns}
                actions={(passkey) => (
                  <Button size="compact-sm" variant="subtle" color="red" onClick={() => setRemoved(passkey)}>
                    Remove
                  </Button>
                )}
              />
            )
          }
        </Loaded>
        <ProblemAlert error={add.error} />
        {isSignInTooOld(add.error) && (
          <PageButton size="xs" to="/sign-in" search={{ next: '/account' }}>
            Sign in again
          </PageButton>
        )}
        <Button variant="default" loading={add.isPending} onClick={() => add.mutate()}>
          Add a passkey
        </Button>
      </Stack>
      <ConfirmDialog
        opened={removed !== undefined}
        title="Remove the passkey?"
        label="Remove"
        mutation={remove}
        onConfirm={() => removed && remove.mutate(removed.id, { onSuccess: close })}
        onClose={close}
      >
        It can no longer be used to sign in. Your device keeps its part until you delete it there.
      </ConfirmDialog>
    </Paper>
  )
}

/** The passkeys of the person, if the address of Parlance allows passkeys. */
export const Passkeys = () => {
  const { data } = api.useQuery('get', '/dashboard/api/identity-providers')
  return data?.passkeys === true ? <PasskeyList /> : null
}
