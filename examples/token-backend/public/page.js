import { createParlanceClient } from '@parlance/client'

const element = (id) => document.getElementById(id)
const { agentId, name, apiOrigin } = await fetch('/agent').then((response) => response.json())
element('name').textContent = `Talk with ${name}`

const sessionToken = async () => {
  const response = await fetch('/session-token', { method: 'POST' })
  const { token, error } = await response.json()
  if (!response.ok) throw new Error(error)
  return token
}

const client = createParlanceClient({ agentId, apiOrigin, sessionToken })

const showError = (message) => {
  element('error').textContent = message
  element('error').hidden = message === ''
}

client.on('connectionState', (state) => {
  const isIdle = ['idle', 'disconnected'].includes(state)
  const isConnected = state === 'connected'
  document.body.dataset.state = state
  element('state').textContent = isIdle ? 'Not connected' : state
  element('connect').disabled = !isIdle
  element('disconnect').disabled = isIdle
  element('text').disabled = !isConnected
  element('send').disabled = !isConnected
})

client.on('transcript', ({ id, role, text, interrupted }) => {
  const line = document.getElementById(id) ?? Object.assign(document.createElement('li'), { id })
  line.dataset.role = role
  line.textContent = text
  if (interrupted) line.append(Object.assign(document.createElement('small'), { textContent: ' Interrupted' }))
  if (text === '') line.remove()
  else if (!line.isConnected) element('transcript').append(line)
})

client.on('error', ({ message }) => showError(message))
client.on('disconnected', ({ reason, detail }) => reason !== 'user_disconnected' && showError(detail))

element('connect').addEventListener('click', () => {
  showError('')
  client.connect({ inputMode: 'automatic' }).catch(({ message }) => showError(message))
})
element('disconnect').addEventListener('click', () => client.disconnect())
element('form').addEventListener('submit', (submitted) => {
  submitted.preventDefault()
  const { value } = element('text')
  if (value.trim() !== '') client.sendText(value)
  element('text').value = ''
})
