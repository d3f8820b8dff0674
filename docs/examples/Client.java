// A whole client in Java, with the JDK alone (17 or later): plays a random legal action.
//
//   java docs/examples/Client.java ws://localhost:8000/play my-name [competition [token-file]]
import java.net.URI;
import java.net.http.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.security.MessageDigest;
import java.util.*;
import java.util.concurrent.*;

public class Client implements WebSocket.Listener {
    record Match(String hash, int[] next, int[] asked, String[] answer) {}

    static final long PATIENCE = 60_000; // how long to try to connect, since the connection was lost, in ms

    final String url, name, competition;
    final Path tokenFile;
    final Map<String, Match> matches = new HashMap<>();
    final StringBuilder frame = new StringBuilder();
    final Random random = new Random();
    final CompletableFuture<Integer> done = new CompletableFuture<>();
    CompletableFuture<?> sent = CompletableFuture.completedFuture(null);
    String token;
    long pause = 100, lost = System.currentTimeMillis(); // when the last connection that was welcome ended
    boolean welcome;
    boolean busy; // whether the manager refused, but will accept later

    Client(String[] args) throws java.io.IOException {
        url = args.length > 0 ? args[0] : "ws://localhost:8000/play";
        name = args.length > 1 ? args[1] : "java";
        competition = args.length > 2 && !args[2].isEmpty() ? args[2] : null;
        tokenFile = args.length > 3 ? Path.of(args[3]) : null;
        if (tokenFile != null && Files.exists(tokenFile)) token = Files.readString(tokenFile).strip();
    }

    public static void main(String[] args) throws Exception {
        Client client = new Client(args);
        client.connect();
        System.exit(client.done.get());
    }

    void connect() {
        HttpClient.newHttpClient().newWebSocketBuilder().buildAsync(URI.create(url), this).whenComplete((socket, error) -> {
            if (error == null) return;
            if (error.getCause() instanceof WebSocketHandshakeException refusal) {
                HttpResponse<?> answer = refusal.getResponse();
                if (answer.statusCode() == 403 || answer.statusCode() == 421) { // for good
                    System.err.println(name + ": refused: " + answer.body());
                    done.complete(1);
                    return;
                }
            }
            again(error.getMessage());
        });
    }

    void again(String why) {
        if (welcome) lost = System.currentTimeMillis();
        welcome = false;
        if (System.currentTimeMillis() - lost > PATIENCE) {
            System.err.println(name + ": the connection ended: " + why);
            done.complete(1);
            return;
        }
        CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS).execute(this::connect); // back as the same player
        pause = Math.min(2 * pause, 5_000);
    }

    @Override public void onOpen(WebSocket socket) {
        frame.setLength(0);
        sent = CompletableFuture.completedFuture(null); // what failed on the old connection
        Map<String, Object> hello = new LinkedHashMap<>(Map.of("type", "hello", "protocol", 1, "name", name));
        if (token != null) hello.put("token", token);
        send(socket, Json.write(hello));
        socket.request(1);
    }

    @Override public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
        frame.append(data);
        if (last) {
            String text = frame.toString();
            frame.setLength(0);
            receive(socket, Json.read(text));
        }
        socket.request(1);
        return null;
    }

    @Override public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        if (code == 1000) {
            System.out.println(name + ": " + reason);
            done.complete(0);
        } else if (code == 1008 && !busy) {
            System.err.println(name + ": " + reason);
            done.complete(1);
        } else again(code + " " + reason);
        return null;
    }

    @Override public void onError(WebSocket socket, Throwable error) { again(error.getMessage()); }

    void send(WebSocket socket, String text) { // one after the other: a second send before the first is done fails
        sent = sent.thenCompose(ignored -> socket.sendText(text, true));
    }

    void receive(WebSocket socket, Map<String, Object> message) {
        String type = (String) message.get("type"), id = (String) message.get("match");
        switch (type) {
            case "welcome" -> {
                token = (String) message.get("token");
                pause = 100;
                welcome = true;
                if (tokenFile != null) keepToken();
                if (competition != null) send(socket, Json.write(Map.of("type", "enter", "competition", competition)));
                matches.keySet().retainAll((List<?>) message.get("matches"));
                return;
            }
            case "refused", "error" -> {
                System.err.println(name + ": " + message.get("message"));
                busy = "busy".equals(message.get("code"));
                return;
            }
            case "entry" -> System.out.println(name + ": " + message.get("state") + " in " + message.get("name"));
            case "start" -> matches.computeIfAbsent(id,
                    key -> new Match((String) message.get("seed_hash"), new int[] {0}, new int[] {-1}, new String[1]));
            default -> { }
        }
        Match match = matches.get(id);
        if (match == null || !message.containsKey("number")) return;
        int number = ((Number) message.get("number")).intValue();
        if (number < match.next[0]) { // told again after a reconnection: what we answered may have got lost
            if (number == match.asked[0]) send(socket, match.answer[0]);
            return;
        }
        match.next[0] = number + 1;
        String answer = reply(type, id, match, message);
        if (answer != null) {
            match.asked[0] = number;
            match.answer[0] = answer;
            send(socket, answer);
        }
    }

    void keepToken() {
        try {
            Files.writeString(tokenFile, token + "\n");
        } catch (java.io.IOException error) {
            System.err.println(name + ": cannot keep the token: " + error.getMessage());
        }
    }

    String reply(String type, String id, Match match, Map<String, Object> message) {
        switch (type) {
            case "start": // study message.get("rules") here
                return Json.write(Map.of("type", "ready", "match", id));
            case "act":
                List<?> legal = (List<?>) message.get("legal");
                Object action = legal.get(random.nextInt(legal.size()));
                return Json.write(Map.of("type", "move", "match", id, "step", message.get("step"), "action", action));
            case "end":
                System.out.println(id + ": " + message.get("result") + " " + message.get("utilities"));
                return null;
            case "reveal":
                boolean same = sha256(message.get("seed") + ":" + message.get("nonce")).equals(match.hash);
                System.out.println(id + ": the seed is " + (same ? "the one" : "NOT the one") + " announced");
                matches.remove(id);
                return null;
            default: // observe: learn what happened here
                return null;
        }
    }

    static String sha256(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash);
        } catch (java.security.NoSuchAlgorithmException error) {
            throw new IllegalStateException(error);
        }
    }

    /** As much of JSON as the protocol needs: objects are maps, arrays lists, numbers Long or Double. */
    static final class Json {
        private final String text;
        private int at;

        private Json(String text) { this.text = text; }

        @SuppressWarnings("unchecked")
        static Map<String, Object> read(String text) { return (Map<String, Object>) new Json(text).value(); }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) at++;
            return text.charAt(at);
        }

        private Object value() {
            char first = next();
            if (first == '{') {
                Map<String, Object> found = new LinkedHashMap<>();
                for (at++; next() != '}'; ) {
                    if (next() == ',') at++;
                    next();
                    String key = string();
                    next();
                    at++; // the colon
                    found.put(key, value());
                }
                at++;
                return found;
            }
            if (first == '[') {
                List<Object> found = new ArrayList<>();
                for (at++; next() != ']'; found.add(value())) if (next() == ',') at++;
                at++;
                return found;
            }
            if (first == '"') return string();
            int from = at;
            while (at < text.length() && ",]} \n\t\r".indexOf(text.charAt(at)) < 0) at++;
            String word = text.substring(from, at);
            return switch (word) {
                case "null" -> null;
                case "true" -> true;
                case "false" -> false;
                default -> word.matches("-?\\d+") ? (Object) Long.valueOf(word) : (Object) Double.valueOf(word);
            };
        }

        private String string() {
            StringBuilder found = new StringBuilder();
            for (at++; text.charAt(at) != '"'; at++) {
                char one = text.charAt(at);
                if (one != '\\') { found.append(one); continue; }
                one = text.charAt(++at);
                if (one == 'u') {
                    found.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
                    at += 4;
                } else found.append("nrtbf".indexOf(one) < 0 ? one : "\n\r\t\b\f".charAt("nrtbf".indexOf(one)));
            }
            at++;
            return found.toString();
        }

        static String write(Object value) {
            if (value instanceof Map<?, ?> map) {
                StringJoiner parts = new StringJoiner(",", "{", "}");
                map.forEach((key, one) -> parts.add(write(key) + ":" + write(one)));
                return parts.toString();
            }
            if (!(value instanceof String text)) return String.valueOf(value);
            StringBuilder found = new StringBuilder("\"");
            for (char one : text.toCharArray()) {
                if (one == '"' || one == '\\') found.append('\\').append(one);
                else if (one < ' ') found.append(String.format("\\u%04x", (int) one));
                else found.append(one);
            }
            return found.append('"').toString();
        }
    }
}
