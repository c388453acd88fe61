import { TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { account } from '../api/account.js'
import { api, fetchApi } from '../api/api.js'
import type { paths } from '../api/schema.js'
import type { FormValues } from '../shared/form.js'
import { Loaded, Loading } from '../shared/loaded.js'
import { NewPasswordField, PasswordField } from '../shared/secret-inputs.js'
import { EntryForm, EntryNotice } from './entry-form.js'
import { ProviderButtons } from './provider-buttons.js'

type Invitation =
  paths['/dashboard/api/invitations/{invitationId}']['get']['responses'][200]['content']['application/json']

/** Where the link of an invitation leads. */
export const InvitationPage = () => {
  const { id, token } = useSearch({ from: '/entry/invitation' })
  return id === undefined ? (
    <EntryNotice title="This link is incomplete">Open the complete link from the invitation.</EntryNotice>
  ) : (
    <FoundInvitation id={id} token={token} />
  )
}

interface InvitationLink {
  readonly id: string
  /** Shows that the person received the link. A link that an inviter has copied has no token. */
  readonly token: string | undefined
}

const FoundInvitation = (link: InvitationLink) => {
  const { id } = link
  const params = { path: { invitationId: id } }
  const invitation = api.useQuery('get', '/dashboard/api/invitations/{invitationId}', { params })
  const signedIn = api.useQuery('get', '/dashboard/api/signed-in')
  if (signedIn.isPending) return <Loading />
  return (
    <Loaded query={invitation}>
      {(found) => {
        if (found.email === signedIn.data?.person.email) return <AcceptForm id={id} {...found} />
        return found.has_account ? <SignInAndAccept {...link} {...found} /> : <JoinForm {...link} {...found} />
      }}
    </Loaded>
  )
}

/** For a person who is signed in already. */
const AcceptForm = ({ id, email, workspace }: Invitation & { readonly id: string }) => {
  const join = useMutation({ mutationFn: () => account.acceptInvitation(id), onSuccess: enter })
  return (
    <EntryForm
      title={`Join ${workspace}`}
      description={`You are signed in as ${email}.`}
      label="Join"
      mutation={join}
      onSubmit={() => join.mutate()}
    />
  )
}

const accept = async (id: string, email: string, password: string): Promise<void> => {
  await account.signIn(email, password)
  await account.acceptInvitation(id)
}

/** The path of this page. */
const invitationPath = ({ id, token }: InvitationLink): string =>
  `/invitation?${new URLSearchParams({ id, ...(token !== undefined && { token }) })}`

const enter = (): void => location.assign('/')

const SignInAndAccept = ({ id, token, email, workspace }: Invitation & InvitationLink) => {
  const signIn = useMutation({
    mutationFn: ({ password = '' }: FormValues) => accept(id, email, password),
    onSuccess: enter,
  })
  return (
    <EntryForm
      title={`Join ${workspace}`}
      description="You have an account with this address. Sign in to accept the invitation."
      label="Sign in and join"
      mutation={signIn}
      onSubmit={(values) => signIn.mutate(values)}
      footer={<ProviderButtons next={invitationPath({ id, token })} />}
    >
      {(field) => (
        <>
          <TextInput label="E-mail" value={email} readOnly autoComplete="username" />
          <PasswordField {...field('password')} />
        </>
      )}
    </EntryForm>
  )
}

const JoinForm = ({ id, token, email, workspace }: Invitation & InvitationLink) => {
  const join = useMutation({
    mutationFn: async ({ name = '', password = '' }: FormValues) => {
      await fetchApi.POST('/dashboard/api/invitations/{invitationId}/person', {
        params: { path: { invitationId: id } },
        body: { name, password, ...(token !== undefined && { token }) },
      })
      await accept(id, email, password)
    },
    onSuccess: enter,
  })
  return (
    <EntryForm
      title={`Join ${workspace}`}
      description="Choose a password for your account."
      label="Create the account and join"
      mutation={join}
      onSubmit={(values) => join.mutate(values)}
      footer={<ProviderButtons next={invitationPath({ id, token })} />}
    >
      {(field) => (
        <>
          <TextInput label="E-mail" value={email} readOnly autoComplete="username" />
          <TextInput {...field('name')} label="Your name" autoComplete="name" maxLength={200} required />
          <NewPasswordField {...field('password')} label="Password" />
        </>
      )}
    </EntryForm>
  )
}
