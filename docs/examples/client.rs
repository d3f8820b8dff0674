// A whole client in Rust, with the standard library alone: plays a legal action. It speaks the little of websockets
// that is needed by itself, without TLS; in a real player a crate such as tungstenite does that.
//
//   rustc -O docs/examples/client.rs -o client && ./client localhost:8000 my-name [competition [token-file]]
use std::collections::{BTreeMap, HashMap};
use std::io::{Error, ErrorKind, Read, Result, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// How long to try to connect, since the connection was lost.
const PATIENCE: Duration = Duration::from_secs(60);

/// As much of JSON as the protocol needs.
#[derive(Clone, Debug)]
enum Json {
    Word(String), // null, true, false and numbers, as they are written
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    fn get(&self, key: &str) -> Option<&Json> {
        if let Json::Object(fields) = self { fields.get(key) } else { None }
    }

    fn text(&self, key: &str) -> String {
        match self.get(key) {
            Some(Json::Text(text)) | Some(Json::Word(text)) => text.clone(),
            _ => String::new(),
        }
    }

    fn texts(&self, key: &str) -> Vec<String> {
        let Some(Json::List(items)) = self.get(key) else { return Vec::new() };
        items.iter().filter_map(|item| if let Json::Text(text) = item { Some(text.clone()) } else { None }).collect()
    }

    fn read(letters: &[char], at: &mut usize) -> Json {
        skip(letters, at);
        match letters[*at] {
            '{' => {
                *at += 1;
                let mut fields = BTreeMap::new();
                while skip(letters, at) != '}' {
                    if letters[*at] == ',' { *at += 1; skip(letters, at); }
                    let Json::Text(key) = Json::read(letters, at) else { panic!("a key is a text") };
                    skip(letters, at);
                    *at += 1; // the colon
                    fields.insert(key, Json::read(letters, at));
                }
                *at += 1;
                Json::Object(fields)
            }
            '[' => {
                *at += 1;
                let mut items = Vec::new();
                while skip(letters, at) != ']' {
                    if letters[*at] == ',' { *at += 1; }
                    items.push(Json::read(letters, at));
                }
                *at += 1;
                Json::List(items)
            }
            '"' => {
                let mut text = Vec::new(); // UTF-16: an escaped letter may come in two halves
                *at += 1;
                while letters[*at] != '"' {
                    let mut letter = letters[*at];
                    if letter == '\\' {
                        *at += 1;
                        letter = match letters[*at] { 'n' => '\n', 't' => '\t', 'r' => '\r', other => other };
                        if letter == 'u' {
                            let digits: String = letters[*at + 1..*at + 5].iter().collect();
                            text.push(u16::from_str_radix(&digits, 16).unwrap_or(0xfffd));
                            *at += 5;
                            continue;
                        }
                    }
                    text.extend_from_slice(letter.encode_utf16(&mut [0; 2]));
                    *at += 1;
                }
                *at += 1;
                Json::Text(String::from_utf16_lossy(&text))
            }
            _ => {
                let from = *at;
                while *at < letters.len() && !",]} \n\t\r".contains(letters[*at]) { *at += 1; }
                Json::Word(letters[from..*at].iter().collect())
            }
        }
    }
}

fn skip(letters: &[char], at: &mut usize) -> char {
    while letters[*at].is_whitespace() { *at += 1; }
    letters[*at]
}

fn quoted(text: &str) -> String {
    let mut found = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => { found.push('\\'); found.push(letter); }
            control if (control as u32) < 32 => found += &format!("\\u{:04x}", control as u32),
            other => found.push(other),
        }
    }
    found + "\""
}

/// A websocket: text frames out, whole messages in.
struct Socket(TcpStream);

impl Socket {
    fn connect(host: &str) -> Result<Socket> {
        let mut stream = TcpStream::connect(host)?;
        stream.set_nodelay(true)?;
        write!(stream, "GET /play HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n")?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut one = [0];
            stream.read_exact(&mut one)?;
            head.push(one[0]);
        }
        if [&b"HTTP/1.1 403"[..], b"HTTP/1.1 421"].iter().any(|refusal| head.starts_with(refusal)) {
            let mut reason = [0; 300];
            let length = stream.read(&mut reason)?;
            let reason = String::from_utf8_lossy(&reason[..length]).into_owned();
            return Err(Error::new(ErrorKind::PermissionDenied, reason)); // for good
        }
        if !head.starts_with(b"HTTP/1.1 101") { return Err(Error::new(ErrorKind::Other, "no websocket there")); }
        Ok(Socket(stream))
    }

    fn send(&mut self, opcode: u8, data: &[u8]) -> Result<()> {
        let mut frame = vec![0x80 | opcode];
        match data.len() { // a client's frames are masked; a mask of zeros changes nothing
            short @ 0..=125 => frame.push(0x80 | short as u8),
            long => { frame.push(0x80 | 126); frame.extend((long as u16).to_be_bytes()); } // 16 KiB at most
        }
        frame.extend([0; 4]);
        frame.extend(data);
        self.0.write_all(&frame)
    }

    /// Return the next message; or, when the manager closes the connection, its code and reason.
    fn receive(&mut self) -> Result<std::result::Result<Json, (u16, String)>> {
        let mut message = Vec::new();
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head)?;
            let length = match head[1] & 127 {
                126 => { let mut size = [0; 2]; self.0.read_exact(&mut size)?; u16::from_be_bytes(size) as usize }
                127 => { let mut size = [0; 8]; self.0.read_exact(&mut size)?; u64::from_be_bytes(size) as usize }
                short => short as usize,
            };
            let mut data = vec![0; length];
            self.0.read_exact(&mut data)?;
            match head[0] & 15 {
                8 => {
                    let code = if length < 2 { 1005 } else { u16::from_be_bytes([data[0], data[1]]) };
                    let _ = self.send(8, &data);
                    return Ok(Err((code, String::from_utf8_lossy(data.get(2..).unwrap_or(&[])).into_owned())));
                }
                9 => self.send(10, &data)?, // a ping, answered by a pong
                10 => {}
                _ => {
                    message.extend(data);
                    if head[0] & 0x80 != 0 {
                        let letters: Vec<char> = String::from_utf8_lossy(&message).chars().collect();
                        return Ok(Ok(Json::read(&letters, &mut 0)));
                    }
                }
            }
        }
    }
}

struct Match { next: i64, asked: i64, answer: String }

struct Player { name: String, competition: String, token_file: String, token: String, welcome: bool }

fn session(host: &str, player: &mut Player, matches: &mut HashMap<String, Match>) -> Result<(u16, String)> {
    let mut socket = Socket::connect(host)?;
    let name = player.name.clone();
    let known = if player.token.is_empty() { String::new() } else { format!(",\"token\":{}", quoted(&player.token)) };
    socket.send(1, format!("{{\"type\":\"hello\",\"protocol\":1,\"name\":{}{known}}}", quoted(&name)).as_bytes())?;
    let mut busy = false; // whether the manager refused, but will accept later
    loop {
        let message = match socket.receive()? {
            Ok(message) => message,
            Err((1008, reason)) if busy => return Err(Error::new(ErrorKind::Other, reason)),
            Err((code @ (1000 | 1008), reason)) => return Ok((code, reason)),
            Err((code, reason)) => return Err(Error::new(ErrorKind::Other, format!("{code} {reason}"))),
        };
        let (kind, id) = (message.text("type"), message.text("match"));
        match kind.as_str() {
            "welcome" => {
                player.token = message.text("token");
                player.welcome = true;
                if !player.token_file.is_empty() { std::fs::write(&player.token_file, &player.token)?; }
                if !player.competition.is_empty() {
                    let enter = format!("{{\"type\":\"enter\",\"competition\":{}}}", quoted(&player.competition));
                    socket.send(1, enter.as_bytes())?;
                }
                let going_on = message.texts("matches");
                matches.retain(|id, _| going_on.contains(id));
            }
            "refused" | "error" => {
                eprintln!("{name}: {}", message.text("message"));
                busy = message.text("code") == "busy";
            }
            "entry" => println!("{name}: {} in {}", message.text("state"), message.text("name")),
            "start" => { matches.entry(id.clone()).or_insert(Match { next: 0, asked: -1, answer: String::new() }); }
            _ => {}
        }
        let (Some(game), Ok(number)) = (matches.get_mut(&id), message.text("number").parse::<i64>()) else { continue };
        if number < game.next { // told again after a reconnection: what we answered may have got lost
            if number == game.asked { socket.send(1, game.answer.as_bytes())?; }
            continue;
        }
        game.next = number + 1;
        let answer = match kind.as_str() {
            "start" => format!("{{\"type\":\"ready\",\"match\":{}}}", quoted(&id)), // study `rules` here
            "act" => {
                let legal = message.texts("legal");
                let chosen = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.subsec_nanos() as usize);
                let action = quoted(&legal[chosen / 1000 % legal.len()]);
                format!("{{\"type\":\"move\",\"match\":{},\"step\":{},\"action\":{action}}}", quoted(&id), message.text("step"))
            }
            "end" => { println!("{id}: {}", message.text("result")); continue }
            _ => continue, // observe: learn what happened here
        };
        game.asked = number;
        game.answer = answer.clone();
        socket.send(1, answer.as_bytes())?;
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let host = arguments.first().map_or("localhost:8000", |text| text.as_str());
    let host = host.trim_start_matches("ws://").trim_end_matches("/play");
    let argument = |at: usize, default: &str| arguments.get(at).map_or(default.to_string(), |text| text.clone());
    let (name, token_file) = (argument(1, "rust"), argument(3, ""));
    let token = std::fs::read_to_string(&token_file).map_or(String::new(), |text| text.trim().to_string());
    let mut player = Player { name, competition: argument(2, ""), token_file, token, welcome: false };
    let (mut matches, mut pause, mut lost) = (HashMap::new(), 100, Instant::now());
    loop {
        player.welcome = false;
        let ended = session(host, &mut player, &mut matches);
        if player.welcome { (lost, pause) = (Instant::now(), 100) }
        let error = match ended {
            Ok((1000, reason)) => { println!("{}: {reason}", player.name); return }
            Ok((_, reason)) => Some(reason),
            Err(error) if lost.elapsed() > PATIENCE || error.kind() == ErrorKind::PermissionDenied => Some(error.to_string()),
            Err(_) => None,
        };
        if let Some(error) = error {
            eprintln!("{}: the connection ended: {error}", player.name);
            std::process::exit(1);
        }
        std::thread::sleep(Duration::from_millis(pause)); // back as the same player
        pause = 5_000.min(2 * pause);
    }
}
