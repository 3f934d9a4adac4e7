/// Sends the input of a form to ``WebAddress/input(_:on:)`` while it is edited, without passwords, one request at a time.
///
/// A form without this script sends its input when it is submitted.
let inputScript: StaticString = """
  {
    const form = document.currentScript.parentElement
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
        if (field.name && field.type != 'password') next.append(field.name, field.value)
      }
      send()
    })
    form.addEventListener('submit', () => { next = null })
    addEventListener('pagehide', () => { if (next) navigator.sendBeacon(form.action + '/input', next) })
  }
  """

/// The hash of ``inputScript`` for the content security policy; a browser test fails if it is out of date.
let inputScriptHash = "sha256-gJidO2joFYJPkMe5tMEm5R1/0H8Z2yy/LqrQn6fXVZI="
