import { createParlanceClient } from '@parlance/client'

const { call, status, transcript, form, text, send } = Object.fromEntries(
  [...document.querySelectorAll('[id]')].map((element) => [element.id, element]),
)

const sessionToken = async () => {
  const response = await fetch('/session-token', { method: 'POST' })
  const { token, error } = await response.json()
  if (!response.ok) throw new Error(error)
  return token
}

const agent = await fetch('/agent').then((response) => response.json())
const client = createParlanceClient({ ...agent, sessionToken })
const isOver = () => ['idle', 'disconnected'].includes(client.connectionState)

client.on('connectionState', (state) => {
  status.textContent = isOver() ? 'Not connected' : state
  call.textContent = isOver() ? 'Talk' : 'Hang up'
  text.disabled = send.disabled = state !== 'connected'
})

client.on('transcript', ({ id, role, text, interrupted }) => {
  const line = document.getElementById(id) ?? Object.assign(document.createElement('p'), { id })
  line.dataset.role = role
  line.textContent = interrupted ? `${text} (interrupted)` : text
  if (text === '') line.remove()
  else transcript.append(line)
})

client.on('error', (error) => Object.assign(status, { textContent: error.message }))

call.addEventListener('click', () => {
  // Errors are events, too.
  if (isOver()) client.connect({ inputMode: 'automatic' }).catch(() => {})
  else client.disconnect()
})

form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (text.value.trim() !== '') client.sendText(text.value)
  text.value = ''
})
