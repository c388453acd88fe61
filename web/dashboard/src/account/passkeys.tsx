import { Button, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { account, type Passkey } from '../api/account.js'
import { api } from '../api/api.js'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { type Column, DataTable, rowButton } from '../shared/data-table.js'
import { PageButton } from '../shared/links.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { Section } from '../shared/section.js'
import { addPasskey, isSignInTooOld } from './passkey-ceremony.js'

const passkeysQuery = { queryKey: ['passkeys'], queryFn: account.listPasskeys }

const columns: readonly Column<Passkey>[] = [{ header: 'Added', cell: ({ createdAt }) => <Moment at={createdAt} /> }]

const PasskeyList = () => {
  const client = useQueryClient()
  const passkeys = useQuery(passkeysQuery)
  const changed = { onSuccess: () => client.invalidateQueries(passkeysQuery) }
  const add = useMutation({ mutationFn: addPasskey, ...changed })
  const remove = useMutation({ mutationFn: account.removePasskey, ...changed })
  return (
    <Section title="Passkeys" isFramed>
      <Text>Sign in with your device's lock, a security key or a password manager, without a password.</Text>
      <Loaded query={passkeys}>
        {(listed) =>
          listed.length > 0 && (
            <DataTable
              label="Passkeys"
              rows={listed}
              rowKey={({ id }) => id}
              columns={columns}
              actions={({ id }) => (
                <ConfirmButton
                  {...rowButton}
                  label="Remove"
                  title="Remove the passkey?"
                  confirm="Remove"
                  mutation={remove}
                  variables={id}
                >
                  It can no longer be used to sign in. Your device keeps its part until you delete it there.
                </ConfirmButton>
              )}
            />
          )
        }
      </Loaded>
      <ProblemAlert error={add.error} />
      {isSignInTooOld(add.error) && (
        <PageButton size="xs" w="fit-content" to="/sign-in" search={{ next: '/account' }}>
          Sign in again
        </PageButton>
      )}
      <Button variant="default" w="fit-content" loading={add.isPending} onClick={() => add.mutate()}>
        Add a passkey
      </Button>
    </Section>
  )
}

/** The passkeys of the person, if the address of Parlance allows passkeys. */
export const Passkeys = () => {
  const { data } = api.useQuery('get', '/dashboard/api/identity-providers')
  return data?.passkeys === true ? <PasskeyList /> : null
}
