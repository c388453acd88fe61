/** The messages of both sides, in the order in which they began. A message that is not final may still change. */
export const createTranscript = (list) => {
  const items = new Map()

  const itemFor = (id, role) => {
    const there = items.get(id)
    if (there !== undefined) return there
    const item = document.createElement('li')
    item.dataset.role = role
    items.set(id, item)
    list.append(item)
    return item
  }

  return {
    clear() {
      items.clear()
      list.replaceChildren()
    },
    show({ id, role, text, final, interrupted }) {
      const item = itemFor(id, role)
      item.textContent = text
      item.toggleAttribute('data-final', final)
      if (interrupted) {
        const note = document.createElement('span')
        note.className = 'note'
        note.textContent = text === '' ? 'Interrupted before the first word' : 'Interrupted here'
        item.append(note)
      }
      list.scrollTop = list.scrollHeight
    },
  }
}
