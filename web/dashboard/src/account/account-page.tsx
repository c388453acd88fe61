import { Button, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { account, type Passkey } from '../api/account.js'
import { api } from '../api/api.js'
import { useReloadSignedIn, useSignedIn } from '../session/signed-in.js'
import { ConfirmButton } from '../shared/confirm-dialog.js'
import { type Column, DataTable, rowButton } from '../shared/data-table.js'
import { type FormValues, PageForm } from '../shared/form.js'
import { PageButton } from '../shared/links.js'
import { Loaded } from '../shared/loaded.js'
import { Moment } from '../shared/moment.js'
import { Page } from '../shared/page.js'
import { ProblemAlert } from '../shared/problem-alert.js'
import { NewPasswordField, PasswordField } from '../shared/secret-inputs.js'
import { Section } from '../shared/section.js'
import { addPasskey, isSignInTooOld } from './passkey-ceremony.js'
import { hasPassword, passwordFormId, signInWaysQuery } from './sign-in-ways.js'

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
const Passkeys = () => {
  const { data } = api.useQuery('get', '/dashboard/api/identity-providers')
  return data?.passkeys === true ? <PasskeyList /> : null
}

export const AccountPage = () => (
  <Page title="Account">
    <Stack gap="lg" maw={560}>
      <NameForm />
      <EmailForm />
      <PasswordForm />
      <Passkeys />
      <SignIns />
    </Stack>
  </Page>
)

const NameForm = () => {
  const { person } = useSignedIn()
  const change = useMutation({
    mutationFn: ({ name = '' }: FormValues) => account.changeName(name.trim()),
    onSuccess: useReloadSignedIn(),
  })
  return (
    <Section title="Name" isFramed>
      <PageForm label="Save" mutation={change} onSubmit={(values) => change.mutate(values)}>
        {(field) => (
          <TextInput
            {...field('name')}
            aria-label="Name"
            defaultValue={person.name}
            autoComplete="name"
            maxLength={200}
            pattern=".*\S.*"
            required
          />
        )}
      </PageForm>
    </Section>
  )
}

const EmailForm = () => {
  const { person } = useSignedIn()
  const change = useMutation({
    mutationFn: ({ newEmail = '' }: FormValues) => account.changeEmail(newEmail),
    onSuccess: useReloadSignedIn(),
  })
  return (
    <Section title="E-mail" isFramed>
      <PageForm
        label="Change the address"
        done="Done. If mail is set up, confirm with the link we sent you."
        mutation={change}
        onSubmit={(values) => change.mutate(values)}
      >
        {(field) => (
          <>
            <Text>
              You sign in with {person.email}. To change the address, open two links: one that is sent to this address,
              then one that is sent to the new address. Without a mail server it changes at once.
            </Text>
            <TextInput {...field('newEmail')} type="email" label="New address" autoComplete="email" required />
          </>
        )}
      </PageForm>
    </Section>
  )
}

/** Changes the password, or sets the first one of a person who signed in by a link or a provider. */
const PasswordForm = () => {
  const { person } = useSignedIn()
  const client = useQueryClient()
  const ways = useQuery(signInWaysQuery)
  const save = useMutation({
    mutationFn: ({ currentPassword, newPassword = '' }: FormValues) =>
      currentPassword === undefined
        ? account.setPassword(newPassword)
        : account.changePassword(currentPassword, newPassword),
    onSuccess: () => client.invalidateQueries(signInWaysQuery),
  })
  return (
    <Loaded query={ways}>
      {(found) => {
        const isSet = hasPassword(found)
        return (
          <Section id={passwordFormId} title="Password" isFramed>
            <PageForm
              label={isSet ? 'Change the password' : 'Set the password'}
              mutation={save}
              onSubmit={(values) => save.mutate(values)}
            >
              {(field) => (
                <>
                  <Text>
                    {isSet
                      ? 'Changing it signs you out in all other browsers.'
                      : `You have no password yet. Set one to sign in as ${person.email} without a link or an identity provider.`}
                  </Text>
                  {isSet && <PasswordField {...field('currentPassword')} label="Current password" />}
                  <NewPasswordField
                    key={String(isSet)}
                    {...field('newPassword')}
                    label={isSet ? 'New password' : 'Password'}
                  />
                </>
              )}
            </PageForm>
          </Section>
        )
      }}
    </Loaded>
  )
}

const counted = (count: number): string => (count === 1 ? 'one browser' : `${count} browsers`)

/** The number of the person's sign-ins, and a button that ends all of them. */
const SignIns = () => {
  const signIns = useQuery({ queryKey: ['sign-ins'], queryFn: account.listSignIns })
  const signOut = useMutation({
    mutationFn: account.signOutEverywhere,
    onSuccess: () => location.assign('/sign-in'),
  })
  return (
    <Section title="Sign-ins" isFramed>
      <Loaded query={signIns}>{(listed) => <Text>You are signed in with {counted(listed.length)}.</Text>}</Loaded>
      <ProblemAlert error={signOut.error} />
      <Button color="red" variant="light" w="fit-content" loading={signOut.isPending} onClick={() => signOut.mutate()}>
        Sign out everywhere
      </Button>
    </Section>
  )
}
