const keptAs = 'parlance.key'
const byId = (id) => document.getElementById(id)

/**
 * Asks for the API key when the page has none. `use` is called with each key that is entered, and with the key stored in this
 * tab. It calls `accept` when the key is valid, or `ask` with the problem. `onForget` is called when the user removes the key.
 */
export const createKeyForm = ({ use, onForget }) => {
  const ask = (problem = '') => {
    sessionStorage.removeItem(keptAs)
    byId('key-problem').hidden = problem === ''
    byId('key-problem').textContent = problem
    byId('key').setAttribute('aria-invalid', String(problem !== ''))
    byId('key-form').hidden = false
    byId('kept-key').hidden = true
    byId('key').focus({ preventScroll: true })
  }

  byId('key-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const typed = byId('key').value.trim()
    if (typed === '') ask('Paste a key first.')
    else use(typed)
  })
  byId('forget-key').addEventListener('click', () => {
    ask()
    onForget()
  })

  return {
    ask,
    accept(key) {
      sessionStorage.setItem(keptAs, key)
      byId('key-problem').hidden = true
      byId('key').value = ''
      byId('key-form').hidden = true
      byId('kept-key').hidden = false
      byId('key-end').textContent = `…${key.slice(-4)}`
    },
    /** Shows the form while something else is wrong that another key may mend. */
    offer() {
      byId('key-form').hidden = !byId('kept-key').hidden
    },
    begin() {
      const kept = sessionStorage.getItem(keptAs)
      if (kept === null) ask()
      else use(kept)
    },
  }
}
