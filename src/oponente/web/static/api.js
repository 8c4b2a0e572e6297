// Talking to the server.

const UNKNOWN = 4404; // the code with which the server closes a socket to a room that there is not

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
 * `handlers`: message(content), lost(), unsent() when something is sent meanwhile, gone(reason, none); `none`: there is no such room.
 */
export function connect(token, handlers) {
  if (!/^[\w-]+$/.test(token ?? "")) { // it can be none, and a socket would only be lost again and again
    queueMicrotask(() => handlers.gone("there is no such room", true));
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
      if (event.code >= 4400 || event.code === 1009) { handlers.gone(event.reason, event.code === UNKNOWN); return; }
      handlers.lost();
      timer = setTimeout(open, Math.min(5000, 300 * 2 ** tries++));
    };
  };
  open();
  return {
    send(type, content = {}) {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ type, ...content }));
      else handlers.unsent();
    },
    close() { closed = true; clearTimeout(timer); socket.close(); },
  };
}
