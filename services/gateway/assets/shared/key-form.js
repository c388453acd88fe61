const keptAs = 'parlance.key'
const byId = (id) => document.getElementById(id)

/**
 * Asks for the API key where the page has none. `use` is called with each key that is given, and with the one that was kept in
 * this tab; it calls `accept` once the key is known to be good, or `ask` with what is wrong with it. `forgotten` is called when
 * the person wants it forgotten.
 */
export const createKeyForm = ({ use, forgotten }) => {
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
    forgotten()
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
