// What the scenes of all pages share: ids, times, names that are hard to show, and who is signed in.
export const id = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
export const at = (daysAgo) => new Date(Date.now() - daysAgo * 24 * 3600_000).toISOString()

export const longName =
  'The office of the Donaudampfschifffahrtsgesellschaft for complaints, compliments and lost umbrellas'
export const rightToLeft = 'مساعد خدمة العملاء'

const workspace = (number, name, role) => ({
  id: id(number),
  name,
  role,
  capabilities: ['tts', 'stt', 'agents'],
  suspended: false,
})

export const signedInAs = (role, workspaces = [workspace(1, 'Acme', role), workspace(2, longName, 'member')]) => ({
  '/dashboard/api/signed-in': {
    body: { person: { id: id(10), email: 'ada@example.com', name: 'Ada Lovelace' }, workspaces, is_operator: false },
  },
  '/dashboard/api/v1/voices': { body: { voices: [{ id: '5'.repeat(32), status: 'available' }], next_cursor: null } },
  '/dashboard/auth/list-sessions': { body: [{}, {}] },
  '/dashboard/auth/list-accounts': { body: [{ providerId: 'credential' }] },
})

export const failed = {
  status: 500,
  body: { code: 'internal_error', detail: 'Something went wrong on our side. Try again.', retryable: false },
}

export const signedInAsOperator = () => {
  const answers = signedInAs('owner')
  const { body } = answers['/dashboard/api/signed-in']
  return { ...answers, '/dashboard/api/signed-in': { body: { ...body, is_operator: true } } }
}
