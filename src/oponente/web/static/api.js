// Talking to the server.

async function answer(response) {
  const content = await response.json().catch(() => ({ error: `${response.status} ${response.statusText}` }));
  if (!response.ok) throw new Error(content.error ?? response.statusText);
  return content;
}

export const get = async (path) => answer(await fetch(path));

export const post = async (path, content) =>
  answer(await fetch(path, { method: "POST", body: content instanceof Blob ? content : JSON.stringify(content) }));

/**
 * A socket to a room that comes back after it was lost.
 * `handlers`: message(content), lost(willReturn), gone(reason).
 */
export function connect(token, handlers) {
  if (!/^[\w-]+$/.test(token ?? "")) { // it can be none, and a socket would only be lost again and again
    queueMicrotask(() => handlers.gone("there is no such room"));
    return { send() {}, close() {} };
  }
  let socket, timer, closed = false, tries = 0;
  const open = () => {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/room/${encodeURIComponent(token)}`);
    socket.onopen = () => { tries = 0; };
    socket.onmessage = (event) => handlers.message(JSON.parse(event.data));
    socket.onclose = (event) => {
      if (closed) return;
      if (event.code >= 4400 || event.code === 1009) { handlers.gone(event.reason); return; }
      handlers.lost();
      timer = setTimeout(open, Math.min(5000, 300 * 2 ** tries++));
    };
  };
  open();
  return {
    send(type, content = {}) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, ...content }));
    },
    close() { closed = true; clearTimeout(timer); socket.close(); },
  };
}
