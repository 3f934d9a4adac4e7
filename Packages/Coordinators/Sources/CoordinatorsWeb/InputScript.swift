/// Sends the input of the form before it to ``WebAddress/input(_:on:)`` while it is edited, one request at a time.
///
/// It masks passwords.
let inputScript: StaticString = """
  {
    const element = document.currentScript.previousElementSibling
    const form = element.closest('form') ?? element.querySelector('form')
    let next = null, isSending = false
    const send = async () => {
      if (isSending || !next) return
      isSending = true
      const body = next
      next = null
      try { await fetch(form.action + '/input', {method: 'POST', body, keepalive: true, redirect: 'manual'}) } catch {}
      isSending = false
      send()
    }
    form.addEventListener('input', () => {
      next = new URLSearchParams()
      for (const field of form.elements) {
        const isSecret = field.type == 'password'
        if (field.name) next.append(field.name, isSecret ? '•'.repeat(field.value.length) : field.value)
      }
      send()
    })
    form.addEventListener('submit', () => { next = null })
    addEventListener('pagehide', () => { if (next) navigator.sendBeacon(form.action + '/input', next) })
  }
  """

/// The hash of ``inputScript`` for the content security policy; a browser test fails if it is out of date.
let inputScriptHash = "sha256-qflxv/WA+gEwAKfGSBDki0EssMuJI4tSLdTeuAC/MV4="
