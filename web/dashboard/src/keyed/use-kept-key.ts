import { useState } from 'react'

const keptAs = 'parlance.key'

/** The key that a person has pasted. It is kept in the tab until it is forgotten. */
export const useKeptKey = () => {
  const [key, setKey] = useState(() => sessionStorage.getItem(keptAs))
  return {
    key,
    keep(accepted: string) {
      sessionStorage.setItem(keptAs, accepted)
      setKey(accepted)
    },
    forget() {
      sessionStorage.removeItem(keptAs)
      setKey(null)
    },
  }
}
